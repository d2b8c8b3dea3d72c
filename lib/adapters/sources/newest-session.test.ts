import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sharedFolder } from '../../testing/store-folder'
import { claudeCodeSettings } from './claude-code/settings'

const folder = sharedFolder()
let stores = 0

const line = (version: unknown, rest: object = {}) => JSON.stringify({ type: 'user', ...rest, version })

/** A store whose newest transcript holds these lines; an older one names another release. */
function store(lines: readonly string[]): { root: string; file: string } {
  stores += 1
  const root = join(folder, String(stores), 'projects')
  const project = join(root, '-srv-a')
  mkdirSync(project, { recursive: true })
  const [older, file] = [join(project, 'older.jsonl'), join(project, 'newest.jsonl')]
  writeFileSync(older, line('1.0.0'))
  utimesSync(older, 1, 1)
  writeFileSync(file, lines.join('\n'))
  return { root, file }
}

const versionOf = ({ root }: { root: string }) => claudeCodeSettings.versionOf(root)?.value ?? null

describe('the release that owns a store of Claude Code', () => {
  it('is the one that wrote the end of the newest transcript, which goes on after an update', () => {
    const made = store([line('2.1.100'), line('2.1.330'), '{"type":"summary"}', ''])
    expect(claudeCodeSettings.versionOf(made.root)).toEqual({ value: '2.1.330', from: made.file })
  })

  it('is nothing that a result of a tool says, and nothing of a line that is torn', () => {
    const answered = line('2.1.330', { toolUseResult: { version: '0.1' } })
    const other = JSON.stringify({ type: 'user', toolUseResult: { version: '0.2' } })
    expect(versionOf(store([answered, other, line('9.9.9').slice(0, -1)]))).toBe('2.1.330')
    for (const bad of [7, '', 'x'.repeat(65), null])
      expect(versionOf(store([line('2.1.330'), line(bad)]))).toBe('2.1.330')
  })

  it('is the one at the beginning where the end names none, and unknown where neither does', () => {
    const long = JSON.stringify({ type: 'user', text: 'x'.repeat(70_000) })
    expect(versionOf(store([line('2.1.100'), long]))).toBe('2.1.100')
    expect(versionOf(store([long]))).toBeNull()
    expect(versionOf(store([]))).toBeNull()
  })

  it('is not looked for behind a link', () => {
    const { root, file } = store([line('2.1.100')])
    const linked = join(root, '-srv-b')
    mkdirSync(linked)
    symlinkSync(file, join(linked, 'link.jsonl'))
    utimesSync(linked, Date.now() / 1000 + 60, Date.now() / 1000 + 60)
    expect(versionOf({ root })).toBeNull()
  })
})
