# Settings of every Toile target, kept in one interface target so that a parent project stays untouched.

add_library(toile_settings INTERFACE)
target_compile_features(toile_settings INTERFACE cxx_std_20)

# The same input must give the same bits: no contraction of a*b+c that depends on inlining, no fast-math.
target_compile_options(toile_settings INTERFACE -ffp-contract=off -fno-fast-math)

add_library(toile_warnings INTERFACE)
target_compile_options(toile_warnings INTERFACE -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion
                       -Wnon-virtual-dtor -Woverloaded-virtual)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # GCC 12 reports these from inside Eigen's and the standard library's headers.
    target_compile_options(toile_warnings INTERFACE -Wno-maybe-uninitialized -Wno-array-bounds
                           -Wno-stringop-overflow -Wno-restrict)
endif()
if(TOILE_WARNINGS_AS_ERRORS)
    target_compile_options(toile_warnings INTERFACE -Werror)
endif()

if(TOILE_SANITIZE)
    target_compile_options(toile_settings INTERFACE -fsanitize=${TOILE_SANITIZE} -fno-omit-frame-pointer
                           -fno-sanitize-recover=all)
    target_link_options(toile_settings INTERFACE -fsanitize=${TOILE_SANITIZE})
endif()

if(PROJECT_IS_TOP_LEVEL)
    set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
    set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
    find_program(TOILE_CCACHE ccache)
    if(TOILE_CCACHE)
        set(CMAKE_CXX_COMPILER_LAUNCHER ${TOILE_CCACHE})
    endif()
endif()
