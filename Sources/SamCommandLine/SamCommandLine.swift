// SamCommandLine
