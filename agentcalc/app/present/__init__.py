"""Present: one thing a screen, and all of it as slides, pictures and one page.

``screens`` says what stands on each; ``desk`` knows the scenario and where the reader is; ``drawing`` keeps pictures;
``said`` writes HTML; ``parts`` and ``taking`` are what is pressed.
"""
