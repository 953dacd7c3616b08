# Bundles the page in a copy of its source, so that the source folder stays clean. npm's packages
# are fetched again only where the lock file has changed.
file(GLOB old LIST_DIRECTORIES true ${WORK}/*)
list(FILTER old EXCLUDE REGEX "/(node_modules|installed.lock)$")
if(old)
    file(REMOVE_RECURSE ${old})
endif()
file(MAKE_DIRECTORY ${WORK} ${OUTPUT})
file(COPY ${SOURCE}/ DESTINATION ${WORK} PATTERN node_modules EXCLUDE PATTERN dist EXCLUDE)

function(run_npm)
    execute_process(COMMAND ${CMAKE_COMMAND} -E env TOILE_PAGE_OUT=${OUTPUT} ${NPM} ${ARGN}
                    WORKING_DIRECTORY ${WORK} RESULT_VARIABLE result
                    OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT result EQUAL 0)
        list(JOIN ARGN " " words)
        message(FATAL_ERROR "npm ${words} failed:\n${output}")
    endif()
endfunction()

file(SHA256 ${SOURCE}/package-lock.json lock)
set(installed "")
if(EXISTS ${WORK}/installed.lock)
    file(READ ${WORK}/installed.lock installed)
endif()
if(NOT installed STREQUAL lock OR NOT EXISTS ${WORK}/node_modules)
    run_npm(ci --no-audit --no-fund)
    file(WRITE ${WORK}/installed.lock ${lock})
endif()
run_npm(run build)

foreach(name page.html studio.js studio.css)
    if(NOT EXISTS ${OUTPUT}/${name})
        message(FATAL_ERROR "npm run build has made no ${name} in ${OUTPUT}")
    endif()
    file(TOUCH ${OUTPUT}/${name})
endforeach()
