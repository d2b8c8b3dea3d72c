import { isName, type Span } from '../../relevance/spans'

/**
 * How spans of one session are compared: a path within the folder that is worked in is the same from its root and from
 * that folder, hexadecimal digits are the same in any case, a number is the same whatever word is before it, and a name is
 * the same whether it is called or not and of whatever it is a part by `this` or `self`.
 */
export function spanKey({ kind, text }: Span, cwd: string | null): string {
  if (kind === 'hex' || kind === 'uuid') return text.toLowerCase()
  if (kind === 'identifier') return nameKey(text)
  if (kind === 'number') return text.slice(text.lastIndexOf(' ') + 1)
  return kind === 'path' ? pathKey(linked(text).replace(PLACE, ''), cwd) : text
}

/** Of a link in Markdown what it leads to. */
function linked(text: string): string {
  const link = text.lastIndexOf('](')
  return link < 0 ? text : text.slice(link + 2).replace(/\)$/, '')
}

/** Where in a file compilers found something: `(12,5)`. */
const PLACE = /\(\d+(?:,\d+)?\)?$/

function pathKey(path: string, cwd: string | null): string {
  if (path.startsWith('./') && path.length > 2) return path.slice(2)
  if (cwd === null || cwd.length < 2 || !path.startsWith(cwd) || path.charAt(cwd.length) !== '/') return path
  return path.slice(cwd.length + 1)
}

const OWN = /^(?:this|self|Self|super|crate|cls)(?:\.|::)(?=\w{4})/

function nameKey(name: string): string {
  const called = name.replace(/\(\)$/, '')
  const own = called.replace(OWN, '')
  return isName(own) ? own : called
}

/** Deeper folders of a path are not looked for. */
const MOST_FOLDERS = 8

/**
 * What else a chunk says that names a path: the folders on it, and its last part. Whoever reads the path can write them,
 * so such a chunk is a source of them (lib/docs/replay.md#needs).
 */
export function partsOfPath(path: string): string[] {
  const parts: string[] = []
  for (
    let at = path.lastIndexOf('/');
    at > 0 && parts.length < MOST_FOLDERS;
    at = path.lastIndexOf('/', at - 1)
  )
    parts.push(path.slice(0, at))
  if (parts.length > 0) parts.push(path.slice(path.lastIndexOf('/') + 1))
  return parts
}
