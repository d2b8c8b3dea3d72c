/** What somebody without the key may do to the lines of a log. Each answers the text of the log afterwards. */
export const ALTERED_LOGS: Readonly<
  Record<string, { alter(lines: readonly string[]): string; readonly line: number | 'end' }>
> = {
  'a word in the middle': {
    alter: (lines) => text(lines.with(2, put(lines[2], '"test"', '"root"'))),
    line: 3,
  },
  'a word in the first line': {
    alter: (lines) => text(lines.with(0, put(lines[0], '"test"', '"root"'))),
    line: 1,
  },
  'a word in the last line': {
    alter: (lines) => text(lines.with(-1, put(lines.at(-1), '"test"', '"root"'))),
    line: 5,
  },
  'a line is gone': { alter: (lines) => text(lines.toSpliced(2, 1)), line: 3 },
  'the first line is gone': { alter: (lines) => text(lines.slice(1)), line: 1 },
  'two lines changed places': {
    alter: (lines) => text([...lines.slice(0, 1), lines[2], lines[1], ...lines.slice(3)]),
    line: 2,
  },
  'a line is there twice': { alter: (lines) => text(lines.toSpliced(2, 0, lines[1] ?? '')), line: 3 },
  'a line of another hand, without a seal': {
    alter: (lines) => text(lines.toSpliced(2, 0, '{"at":1,"receipt":"x","state":"done"}')),
    line: 3,
  },
  'a line of another hand at the end': {
    alter: (lines) => text([...lines, '{"at":1,"receipt":"x","state":"done"}']),
    line: 6,
  },
  'the same without a line end': {
    alter: (lines) => `${text(lines)}{"at":1,"receipt":"x","state":"done"}`,
    line: 6,
  },
  'a line without its seal': {
    alter: (lines) => text(lines.with(1, (lines[1] ?? '').replace(/,"seq".*$/, '}'))),
    line: 2,
  },
  'words that are none between two lines': {
    alter: (lines) => text(lines.toSpliced(2, 0, 'words')),
    line: 4,
  },
  'the last line is gone': { alter: (lines) => text(lines.slice(0, -1)), line: 'end' },
  'the last two lines are gone': { alter: (lines) => text(lines.slice(0, -2)), line: 'end' },
  'everything is gone': { alter: () => '', line: 'end' },
}

function text(lines: readonly (string | undefined)[]): string {
  return lines.map((line) => `${line ?? ''}\n`).join('')
}

function put(line = '', from: string, to: string): string {
  if (!line.includes(from)) throw new Error(`${from} is not in ${line}`)
  return line.replace(from, to)
}
