// Catch2's main. Version 3 brings its own by linking Catch2WithMain; version 2 wants it compiled once, here.
#define CATCH_CONFIG_MAIN
#include "tests/catch.hpp"
