# Developer options as interface targets: nothing here touches a consumer's flags.
add_library(nd7_warnings INTERFACE)
target_compile_options(nd7_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                                              $<$<BOOL:${ND7_WERROR}>:-Werror>)

add_library(nd7_sanitize INTERFACE)
if(ND7_SANITIZE)
  target_compile_options(nd7_sanitize INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=all
                                                -fno-omit-frame-pointer)
  target_link_options(nd7_sanitize INTERFACE -fsanitize=address,undefined)
endif()
if(ND7_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "ND7_FUZZ needs clang (libFuzzer)")
  endif()
  target_compile_options(nd7_sanitize INTERFACE -fsanitize=fuzzer-no-link)
endif()

# Paths of the checkout never reach a binary, so that builds in two places are equal.
add_library(nd7_reproducible INTERFACE)
target_compile_options(nd7_reproducible INTERFACE "-ffile-prefix-map=${PROJECT_SOURCE_DIR}=."
                                                  "-ffile-prefix-map=${PROJECT_BINARY_DIR}=build")
