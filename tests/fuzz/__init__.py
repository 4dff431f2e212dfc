"""Fuzzing by atheris (`make fuzz`): what bytes do to reading, to the order grammar, to the codec.

Each target takes any bytes; what it raises is a fault. Seeds and former crashers are in a
folder of the target's name, and tests/fuzz/test_fuzz_cases.py runs all of them without atheris.
"""
