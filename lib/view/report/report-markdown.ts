import type { ReportPage, ReportSection, ReportTable } from './report-page'

/** The page as Markdown (with GitHub's tables). Texts of others can neither end a cell nor begin a construct. */
export function reportMarkdown({ title, lead, sections }: ReportPage): string {
  return `${[`# ${escaped(title)}`, escaped(lead), ...sections.map(sectionText)].join('\n\n')}\n`
}

function sectionText({ title, lines, table, items = [] }: ReportSection): string {
  return [
    `## ${escaped(title)}`,
    ...lines.map(escaped),
    ...(table === undefined ? [] : [tableText(table)]),
    ...(items.length === 0 ? [] : [items.map(itemText).join('\n')]),
  ].join('\n\n')
}

function tableText({ columns, rows }: ReportTable): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escaped).join(' | ')} |`
  const rule = `| ${columns.map((_, i) => (i === 0 ? '---' : '---:')).join(' | ')} |`
  return [line(columns), rule, ...rows.map(line)].join('\n')
}

function itemText({ text, command }: { text: string; command: string | null }): string {
  return command === null ? `1. ${escaped(text)}` : `1. ${escaped(text)}\n   ${code(command)}`
}

/** A span of code whose fence is longer than any run of backticks in it. */
function code(text: string): string {
  const line = oneLine(text)
  const longest = (line.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0)
  const fence = '`'.repeat(longest + 1)
  return longest === 0 ? `${fence}${line}${fence}` : `${fence} ${line} ${fence}`
}

function escaped(text: string): string {
  return oneLine(text).replace(/[\\`*_{}[\]<>#|~!&]|(?<=^)[-+]|(?<=^\d+)[.)]/g, '\\$&')
}

function oneLine(text: string): string {
  return text.replace(/[\t\n\r]+/g, ' ')
}
