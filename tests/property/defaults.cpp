// How long and from which seed the properties run, unless RC_PARAMS says otherwise.
#include <cstdlib>

namespace {

const int kSet = setenv("RC_PARAMS", "seed=20261129 max_success=100 max_size=60", 0);

}  // namespace
