# Writes a C++ file that holds the page's files as string literals.
set(text "#include \"studio/server/page_files.h\"\n\nnamespace toile::studio {\nnamespace {\n")
foreach(name page.html studio.js studio.css)
    file(READ ${FOLDER}/${name} hex HEX)
    string(REGEX REPLACE "(..)" "\\\\x\\1" bytes "${hex}")
    string(MAKE_C_IDENTIFIER ${name} identifier)
    string(APPEND text "constexpr char ${identifier}[] = \"${bytes}\";\n")
endforeach()
string(APPEND text "}  // namespace\n\nPageFiles page_files() {\n"
       "    return {{page_html, sizeof page_html - 1},\n"
       "            {studio_js, sizeof studio_js - 1},\n"
       "            {studio_css, sizeof studio_css - 1}};\n}\n\n}  // namespace toile::studio\n")
file(WRITE ${OUTPUT} "${text}")
