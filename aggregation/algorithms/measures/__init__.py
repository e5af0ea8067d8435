"""What is measured of answers and fits: agreement, calibration, scores, intervals."""
