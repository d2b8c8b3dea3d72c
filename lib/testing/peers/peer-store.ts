import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Bytes } from '../../core/units/units'
import { CORPUS, transcriptFiles } from '../corpus'
import type { PeerStores } from './ccusage'

/** Sessions of the corpus that real models worked in: those of scripted ones repeat themselves. */
const SOURCES = [
  ['claude', 'claude-code'],
  ['codex', 'codex'],
] as const

/** A copy is a separate session: neither side may take its answers for those of the one it was made of. */
const IDS = /[0-9a-f]{8}(?=-[0-9a-f]{4}-[0-9a-f]{4}-)|(?:msg|req|resp)_[A-Za-z0-9]{8}/g

/** Smaller ones are mostly headers. Bytes. */
const LEAST: Bytes = 20_000

/** Stores of Claude Code and Codex, half of the bytes each, made of the corpus; null where there is none. */
export function writePeerStores(
  folder: string,
  bytes: Bytes,
): (PeerStores & { readonly bytes: Bytes }) | null {
  if (CORPUS === null) return null
  const stores = { home: folder, claudeConfig: join(folder, 'claude'), codexHome: join(folder, 'codex') }
  let written = 0
  for (const [kind, name] of SOURCES) {
    const files = transcriptFiles(join(CORPUS, name))
      .map((file) => ({ name: basename(file), text: readFileSync(file, 'utf8') }))
      .filter(({ text }) => text.length >= LEAST)
    const target =
      kind === 'claude' ? join(stores.claudeConfig, 'projects') : join(stores.codexHome, 'sessions')
    let size = 0
    for (let copy = 0; size < bytes / 2; copy++)
      for (const { name: file, text } of files) {
        const fresh = text.replace(IDS, (id) => renamed(id, copy))
        size += write(
          join(
            target,
            `copy-${copy}`,
            file.replace(IDS, (id) => renamed(id, copy)),
          ),
          fresh,
        )
      }
    written += size
  }
  return { ...stores, bytes: written }
}

/** The same id with the number of the copy in it: hexadecimal digits stay such. */
function renamed(id: string, copy: number): string {
  const number = copy.toString(16).padStart(6, '0')
  return id.includes('_') ? `${id}${number}` : `${number}${id.slice(6)}`
}

/** On the disk, so that its writing does not go on while others are measured. */
function write(file: string, text: string): Bytes {
  mkdirSync(dirname(file), { recursive: true })
  const opened = openSync(file, 'w')
  try {
    const size = writeSync(opened, text)
    fsyncSync(opened)
    return size
  } finally {
    closeSync(opened)
  }
}
