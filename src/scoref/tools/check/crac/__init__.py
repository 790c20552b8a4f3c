"""The verdict of the official validator on a CorefUD file: `--profile crac`.

CRAC asks participants to pass ``udvalidate --level 2 --coref`` of udtools. `validate`
applies the same rules, under the same names, and needs no other package.
"""
