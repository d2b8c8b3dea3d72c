import { basename } from 'node:path'
import { parse } from 'yaml'
import { readSettingsText } from '../../config/settings'
import { dottedKey } from '../../core/policy/path'
import { readPolicy } from '../../core/policy/read-policy'
import { lineAndColumn, nodeAt, parseSource, type SyntaxProblem } from '../../core/policy/source-tree'
import { foreignChanges, type LockedChange, lockedChanges } from '../../core/policy/web-lock'
import type { PolicyDocument, SaveInput } from '../../engine/policy/policy-store'

/**
 * What a page wants to save and may not: commands, addresses and folders are changed in the file itself. Each is a
 * problem at its key that names the line to write.
 * @param document the file as it is on disk
 */
export function lockedProblems(
  document: Pick<PolicyDocument, 'path' | 'role' | 'text' | 'file'>,
  { text }: Pick<SaveInput, 'text'>,
): SyntaxProblem[] {
  // A file beyond all bounds, on disk or from the page, would block every page while it is compared.
  for (const one of [text, document.text]) {
    const { root, problems } = parseSource(one, document.path)
    if (root === null && problems.length > 0) return [...problems]
  }
  const after = readSettingsText(document.path, text)
  // What another reader of the file could still make something of is not saved either.
  if (!after.ok) {
    return after.problems.map((message) => ({
      ...{ severity: 'error', file: document.path, line: 1, column: 1, key: '' },
      message: message.replace(`${document.path}: `, ''),
    }))
  }
  const before = readableValue(document)
  const changes =
    document.role === 'own'
      ? lockedChanges(before, after.value)
      : foreignChanges(before, after.value, [
          ...readKeys(document.file),
          ...readKeys(readPolicy(parseSource(text, document.path))),
        ])
  const source = parseSource(text, document.path)
  return changes.map((change) => ({
    severity: 'error',
    file: document.path,
    ...lineAndColumn(text, nodeAt(source.root, change.keys)?.start ?? 0),
    key: dottedKey(change.keys),
    message: `cannot be changed on this page: ${whyLocked(document, change)}`,
  }))
}

/** Of a file with faults of syntax, what can be read of it. */
function readableValue({ path, text }: Pick<PolicyDocument, 'path' | 'text'>): unknown {
  const read = readSettingsText(path, text)
  if (read.ok) return read.value
  try {
    return parse(text, { strict: false, logLevel: 'silent' })
  } catch {
    return null
  }
}

function readKeys({ places }: PolicyDocument['file']) {
  return Object.entries(places).map(([path, { key }]) => ({ key, path }))
}

const LONGEST_LINE = 300

function whyLocked(
  { path, role }: Pick<PolicyDocument, 'path' | 'role'>,
  { keys, wanted }: LockedChange,
): string {
  const where = role === 'own' ? basename(path) : `${basename(path)} of the runtime`
  const what =
    role === 'own'
      ? 'it decides about commands, addresses or folders'
      : 'pages change only the numbers, switches and names that the policy is read from'
  if (wanted === undefined) return `${what}. Take it out of ${where} yourself.`
  const line = `${dottedKey(keys)}: ${JSON.stringify(wanted)}`
  // Not cut: a part of a credential would not be known as one.
  const rest = line.length > LONGEST_LINE ? '' : `: ${line}`
  return `${what}. Write it into ${where} yourself${rest}`
}
