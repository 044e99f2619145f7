/*! </script> <!-- <script> */
const less = (a, b) => a < ! --b;
export const values = [
  "</script>", "<!--<script>", `</script><!--<script>`, /<\/script><!--<script>/.test("</script><!--<script>"),
  String.raw`<!--<script></script>`, `a${"</SCRIPT >"}b`, "]]>", "-->", "\u2028", less(0, 1),
];
