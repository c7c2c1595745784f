"""What a comparison means: the answer in a sentence, seconds as they add up, where two systems meet."""
