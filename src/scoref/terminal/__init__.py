"""What commands share: options, help, printing, exit codes, and folders of datasets."""
