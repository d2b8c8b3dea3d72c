/**
 * Headings whose sections hold always, and those that count where a file has none of them
 * (lib/docs/openclaw.md#summaries).
 */
const ALWAYS: ReadonlySet<string> = new Set(['session startup', 'red lines'])
const ELSE: ReadonlySet<string> = new Set(['every session', 'safety'])

/**
 * The sections of a workspace's instructions that a compaction may not lose: as they are, with their headings, in
 * the order of the file; null when it has none. Headings in code blocks are none.
 */
export function workspaceRules(instructions: string): string | null {
  const lines = instructions.split(/\r?\n/)
  const chosen = sectionsOf(lines, ALWAYS)
  const sections = chosen.length > 0 ? chosen : sectionsOf(lines, ELSE)
  return sections.length === 0 ? null : sections.join('\n\n')
}

function sectionsOf(lines: readonly string[], wanted: ReadonlySet<string>): string[] {
  const sections: string[][] = []
  /** Level of the section that is being taken; 0 outside of one. */
  let within = 0
  let fenced = false
  for (const line of lines) {
    if (/^\s*(```|~~~)/.test(line)) fenced = !fenced
    const [, marks = '', title = ''] = fenced ? [] : (/^(#{1,6}) +(.*?)[ #]*$/.exec(line) ?? [])
    const level = marks.length
    if (level > 0 && (within === 0 || level <= within)) {
      within = (level === 2 || level === 3) && wanted.has(title.trim().toLowerCase()) ? level : 0
      if (within > 0) sections.push([])
    }
    if (within > 0) sections.at(-1)?.push(line)
  }
  return sections.map((section) => section.join('\n').trim())
}
