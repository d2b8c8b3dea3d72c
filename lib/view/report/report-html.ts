import type { ReportPage, ReportSection, ReportTable } from './report-page'

/** How a report's file begins; one that begins otherwise is none of ours. */
export const REPORT_HTML_START = '<!doctype html>\n<!-- Plimsoll report -->\n'

/**
 * The page as one file: no scripts, no addresses, nothing that is loaded. All texts are escaped, and the page's own
 * policy forbids the rest.
 */
export function reportHtml({ title, lead, sections }: ReportPage): string {
  return `${REPORT_HTML_START}<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<meta name="referrer" content="no-referrer">
<title>${inHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${inHtml(title)}</h1>
<p>${inHtml(lead)}</p>
${sections.map(section).join('\n')}
</main>
</body>
</html>
`
}

function section({ title, lines, table, items = [] }: ReportSection): string {
  return [
    `<h2>${inHtml(title)}</h2>`,
    ...lines.map((line) => `<p>${inHtml(line)}</p>`),
    ...(table === undefined ? [] : [tableHtml(table)]),
    ...(items.length === 0 ? [] : ['<ol>', ...items.map(item), '</ol>']),
  ].join('\n')
}

function item({ text, command }: { text: string; command: string | null }): string {
  const shown = command === null ? '' : `<br><code>${inHtml(command)}</code>`
  return `<li>${inHtml(text)}${shown}</li>`
}

function tableHtml({ columns, rows }: ReportTable): string {
  const head = columns.map((column) => `<th scope="col">${inHtml(column)}</th>`).join('')
  const body = rows.map(
    ([name = '', ...cells]) =>
      `<tr><th scope="row">${inHtml(name)}</th>${cells.map((cell) => `<td>${inHtml(cell)}</td>`).join('')}</tr>`,
  )
  return `<div><table>\n<thead><tr>${head}</tr></thead>\n<tbody>\n${body.join('\n')}\n</tbody>\n</table></div>`
}

const CHARACTERS: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function inHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => CHARACTERS[character] ?? '')
}

const STYLE = `
:root{color-scheme:light dark}
body{margin:0;padding:24px;background:light-dark(#f6f7f9,#0c1117);color:light-dark(#14202c,#e4eaf1);font:14px/20px system-ui,sans-serif}
main{max-width:1000px;margin:0 auto;overflow-wrap:anywhere}
h1{font-size:20px;line-height:28px}
h2{margin-top:24px;font-size:16px;line-height:24px}
p{margin:0 0 8px}
div{overflow-x:auto}
table{border-collapse:collapse;font-variant-numeric:tabular-nums;white-space:nowrap}
th,td{padding:4px 12px 4px 0;border-bottom:1px solid light-dark(#dfe4ea,#232d3a);text-align:right}
th:first-child{text-align:left}
code{font-family:ui-monospace,monospace;font-size:13px}
`
