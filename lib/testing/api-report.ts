import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { parseSync } from 'vite'

/** A name that an entry exports, as its declaration says it. */
export type DeclaredName = {
  readonly name: string
  /** What follows `/**`, without the stars; '' when there is none. */
  readonly docstring: string
  /** The declarations without comments and private members; a function that is overloaded has several. */
  readonly signature: string
  readonly kind: 'function' | 'class' | 'value' | 'type'
}

type Comment = { readonly type: string; readonly start: number; readonly end: number; readonly value: string }
type Span = { readonly start: number; readonly end: number }
type Member = Span & {
  readonly type: string
  readonly accessibility?: string
  readonly key?: { readonly type: string }
}
type Node = Span & {
  readonly type: string
  readonly source?: { readonly value: string } | null
  readonly specifiers?: readonly { readonly local: Named; readonly exported: Named }[]
  readonly declaration?: Node | null
  readonly id?: Named
  readonly declarations?: readonly { readonly id: Named }[]
  readonly body?: { readonly body?: readonly Member[] }
}
type Named = { readonly name?: string; readonly value?: string }

const KINDS: { readonly [type: string]: DeclaredName['kind'] } = {
  TSDeclareFunction: 'function',
  FunctionDeclaration: 'function',
  ClassDeclaration: 'class',
  VariableDeclaration: 'value',
}

type File = { readonly text: string; readonly comments: readonly Comment[]; readonly body: readonly Node[] }

/** Reads the declarations of a package, file by file. */
class Declarations {
  private readonly files = new Map<string, File>()

  constructor(private readonly folder: string) {}

  /** @param module path in the folder, without its ending */
  namesOf(module: string): DeclaredName[] {
    const all = this.file(module).body.flatMap((node) => this.exportedBy(module, node))
    return all.sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  private exportedBy(module: string, node: Node): DeclaredName[] {
    const from = node.source?.value
    const there = from === undefined ? '' : posix.join(posix.dirname(module), from.replace(/\.js$/, ''))
    if (node.type === 'ExportAllDeclaration') return this.namesOf(there)
    if (node.type !== 'ExportNamedDeclaration') return []
    if (from !== undefined)
      return (node.specifiers ?? []).map(({ local, exported }) => ({
        ...this.declared(there, nameOf(local)),
        name: nameOf(exported),
      }))
    return namesIn(node).map((name) => this.declared(module, name))
  }

  private declared(module: string, name: string): DeclaredName {
    const file = this.file(module)
    const nodes = file.body.filter((node) => namesIn(node).includes(name))
    const [first] = nodes
    if (first === undefined) throw new Error(`${module} declares no ${name}`)
    return {
      name,
      docstring: docstringBefore(file, first),
      signature: nodes.map((node) => signatureOf(file, node)).join('\n'),
      kind: KINDS[first.declaration?.type ?? ''] ?? 'type',
    }
  }

  private file(module: string): File {
    const known = this.files.get(module)
    if (known !== undefined) return known
    const path = join(this.folder, `${module}.d.ts`)
    const text = readFileSync(path, 'utf8')
    const { program, comments, errors } = parseSync(path, text)
    if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`)
    const file = { text, comments, body: program.body as unknown as Node[] }
    this.files.set(module, file)
    return file
  }
}

function nameOf({ name, value }: Named): string {
  return name ?? value ?? ''
}

function namesIn({ declaration }: Node): string[] {
  if (declaration === null || declaration === undefined) return []
  if (declaration.declarations !== undefined) return declaration.declarations.map(({ id }) => nameOf(id))
  return declaration.id === undefined ? [] : [nameOf(declaration.id)]
}

function docstringBefore({ text, comments }: File, { start }: Span): string {
  const before = comments.find(
    (comment) =>
      comment.value.startsWith('*') && comment.end <= start && text.slice(comment.end, start).trim() === '',
  )
  return (before?.value ?? '')
    .replace(/^\*/, '')
    .replace(/^[ \t]*\* ?/gm, '')
    .trim()
}

function signatureOf({ text, comments }: File, node: Node): string {
  const hidden = (node.declaration?.body?.body ?? []).filter(
    (member) => member.accessibility === 'private' || member.key?.type === 'PrivateIdentifier',
  )
  const { start, end } = node
  const gaps: Span[] = [...comments, ...hidden]
    .filter((span) => span.start >= start && span.end <= end)
    .sort((a, b) => a.start - b.start)
  let at = start
  let said = ''
  for (const gap of gaps) {
    said += text.slice(at, Math.max(at, gap.start))
    at = Math.max(at, gap.end)
  }
  return (said + text.slice(at, end))
    .replace(/^export (declare )?/, '')
    .replace(/[ \t]+$/gm, '')
    .replace(/\n\s*\n/g, '\n')
}

/**
 * What the entries of a package export, by entry. A name that an earlier entry has too is in that one alone.
 * @param folder with declarations
 * @param entries paths in it, without their endings
 */
export function declaredNames(folder: string, entries: readonly string[]): Map<string, DeclaredName[]> {
  const declarations = new Declarations(folder)
  const known = new Set<string>()
  const found = new Map<string, DeclaredName[]>()
  for (const entry of entries) {
    const names = declarations.namesOf(entry)
    const same = ({ name, signature }: DeclaredName) => `${name}\n${signature}`
    found.set(
      entry,
      names.filter((item) => !known.has(same(item))),
    )
    for (const item of names) known.add(same(item))
  }
  return found
}
