import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Fills a folder with files that a policy names as cold storage or as the folder of logs although others keep theirs
 * there: a key, a document, JSON lines of another program, and names that cold storage and logs have with other content.
 * @returns their paths, sorted
 */
export function fillWithForeignFiles(folder: string): string[] {
  const files: Readonly<Record<string, string>> = {
    '.ssh/id_ed25519': 'a key\n',
    'docs/thesis.tex': '\\documentclass{article}\n',
    'chats/messages.jsonl': '{"role":"user","content":"a data set"}\n',
    // The place and the ending of a chunk, and records of another session than the folder's.
    'work/results.jsonl': '{"loss":0.5}\n{"loss":0.4}\n',
    'other/chunk.jsonl': '{"chunk_id":"c","session_id":"of-another","content":"text"}\n',
    'session/half.jsonl': '{"chunk_id":"c","session_id":"session","content":"text"}\nmy notes\n',
    'session/empty.jsonl': '',
    'session/deeper/chunk.jsonl': '{"chunk_id":"c","session_id":"session","content":"text"}\n',
    'index.jsonl': '{"page":1}\n',
    '.journal/diary.jsonl': 'Dear diary\n',
    // Names of logs with other content.
    'health.jsonl': '{"pulse":61}\n',
    'compaction.jsonl.1': 'Compaction of soil, field notes\n',
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return Object.keys(files)
    .map((name) => join(folder, name))
    .sort()
}

/**
 * Puts a link to a folder outside where cold storage has the folder of a session, and a journal that would fill it.
 * @returns the file outside that settling the journal would replace
 */
export function linkSessionFolderOutside(root: string, outside: string): string {
  const victim = join(outside, 'chunk.jsonl')
  writeFileSync(victim, 'mine\n')
  symlinkSync(outside, join(root, 'session'))
  mkdirSync(join(root, '.journal'), { recursive: true })
  const record = {
    chunk_id: 'chunk',
    session_id: 'session',
    content: 'text',
    timestamp: '2026-01-01T00:00:00Z',
  }
  writeFileSync(join(root, '.journal', '1.jsonl'), `${JSON.stringify(record)}\n`)
  return victim
}
