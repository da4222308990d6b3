"""SamSwift Lite in PyTorch: the network, the photographs that train it, and how it is measured."""
