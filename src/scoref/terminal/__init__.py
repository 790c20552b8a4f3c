"""What commands share: options, printing, exit codes, folders in place of files."""
