const WIDTH = 110

/** A JSON document as text: what fits into a line is one line, the rest has a line for each member. */
export function printDocument(value: unknown, indent = ''): string {
  const line = inOneLine(value)
  if (indent.length + line.length <= WIDTH || value === null || typeof value !== 'object') return line
  const deeper = `${indent} `
  if (Array.isArray(value)) {
    if (value.every((item) => typeof item === 'number')) return `[\n${filledLines(value, deeper)}\n${indent}]`
    const items = value.map((item) => `${deeper}${printDocument(item, deeper)}`)
    return `[\n${items.join(',\n')}\n${indent}]`
  }
  const members = Object.entries(value).map(
    ([name, member]) => `${deeper}${JSON.stringify(name)}: ${printDocument(member, deeper)}`,
  )
  return `{\n${members.join(',\n')}\n${indent}}`
}

/** As many numbers in a line as fit. */
function filledLines(numbers: readonly number[], indent: string): string {
  const lines: string[] = []
  for (const number of numbers) {
    const last = lines.at(-1)
    if (last === undefined || `${last}, ${number}`.length > WIDTH) lines.push(`${indent}${number}`)
    else lines[lines.length - 1] = `${last}, ${number}`
  }
  return lines.join(',\n')
}

function inOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inOneLine).join(', ')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}: ${inOneLine(member)}`,
  )
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}
