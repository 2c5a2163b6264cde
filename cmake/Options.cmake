# Developer options as interface targets: nothing here touches a consumer's flags.
add_library(nd7_warnings INTERFACE)
target_compile_options(nd7_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                                              $<$<BOOL:${ND7_WERROR}>:-Werror>)
# GCC 12 sees an impossible overlap in "text" + std::string (its bug 105329, gone in 13).
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(nd7_warnings INTERFACE -Wno-restrict)
endif()

add_library(nd7_sanitize INTERFACE)
if(ND7_SANITIZE)
  target_compile_options(nd7_sanitize INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=all
                                                -fno-omit-frame-pointer)
  target_link_options(nd7_sanitize INTERFACE -fsanitize=address,undefined)
endif()
if(ND7_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "ND7_FUZZ needs clang (libFuzzer); configure with --preset fuzz")
  endif()
  target_compile_options(nd7_sanitize INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(ND7_STATIC AND ND7_SANITIZE)
  message(FATAL_ERROR "ND7_STATIC and ND7_SANITIZE exclude each other: the sanitizers need a dynamic libc")
endif()

# Paths of the checkout never reach a binary, so that builds in two places are equal.
add_library(nd7_reproducible INTERFACE)
target_compile_options(nd7_reproducible INTERFACE "-ffile-prefix-map=${PROJECT_SOURCE_DIR}=."
                                                  "-ffile-prefix-map=${PROJECT_BINARY_DIR}=build")

# A build from scratch takes what it can from ccache, when that is at hand.
if(PROJECT_IS_TOP_LEVEL AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(ND7_CCACHE ccache)
  mark_as_advanced(ND7_CCACHE)
  if(ND7_CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${ND7_CCACHE})
  endif()
endif()
