import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { DEFAULT_BACKUPS } from './backup-settings'
import { DEFAULT_SETTINGS, loadSettings, parseSettings } from './settings'

const parse = (source: string, file = '/etc/p/plimsoll.yaml') => parseSettings(file, source, '/home/a')

describe('the settings file', () => {
  it('lists stores as paths or maps, from YAML and from JSON5', () => {
    const stores = [
      { path: '/home/a/agents', kind: null },
      { path: '/etc/p/rel', kind: 'pi' },
    ]
    expect(parse('stores:\n  - ~/agents\n  - { path: rel, kind: pi }\n')).toMatchObject({
      ok: true,
      settings: { stores },
      warnings: [],
    })
    expect(
      parse(`{ stores: ['~/agents', {path: 'rel', kind: "pi"},] } // x`, '/etc/p/plimsoll.json5'),
    ).toMatchObject({
      ok: true,
      settings: { stores },
    })
  })

  it('says how much room backups may take and how long they are kept', () => {
    expect(parse('backups: { quota: 1.5gb, keep: 7d }')).toMatchObject({
      settings: { backups: { quotaBytes: 1.5 * 1024 ** 3, keepDays: 7 } },
    })
    expect(parse('backups: { keep: 90 }')).toMatchObject({
      settings: { backups: { quotaBytes: DEFAULT_BACKUPS.quotaBytes, keepDays: 90 } },
    })
    expect(parse('backups: { quota: lots, keep: 0d }')).toMatchObject({
      ok: false,
      problems: [
        '/etc/p/plimsoll.yaml: backups.quota must be a size of at least 1MB, e.g. "5GB"',
        '/etc/p/plimsoll.yaml: backups.keep must be a number of days from 1 to 3650, e.g. "30d"',
      ],
    })
    expect(parse('backups: { size: 3 }')).toMatchObject({ ok: false })
  })

  it('may be empty', () => {
    expect(parse('')).toMatchObject({ ok: true, settings: { stores: [], workspaces: [] } })
    expect(parse('stores:\n')).toMatchObject({ ok: true, settings: { stores: [], workspaces: [] } })
  })

  it('says file, key and what is allowed when a value is bad', () => {
    expect(parse('stores:\n  - { path: x, kind: claude }\n')).toEqual({
      ok: false,
      file: '/etc/p/plimsoll.yaml',
      problems: [
        '/etc/p/plimsoll.yaml: stores[0] must be a path, or a map with path and, if wanted, kind (openclaw or pi)',
      ],
      settings: DEFAULT_SETTINGS,
    })
    expect(parse('stores: 5')).toMatchObject({
      problems: ['/etc/p/plimsoll.yaml: stores must be a list of paths, or of maps with path and kind'],
    })
    expect(parse('- a')).toMatchObject({ ok: false })
  })

  it('keeps what can be read beside a bad value, for those who go on with it', () => {
    expect(parse('stores: 5\nworkspaces: [~/ws]\n')).toMatchObject({
      ok: false,
      settings: { stores: [], workspaces: ['/home/a/ws'] },
    })
    expect(parse('stores: [~/a]\nworkspaces: 5\n')).toMatchObject({
      ok: false,
      settings: { stores: [{ path: '/home/a/a' }], workspaces: [] },
    })
    expect(parse('stores: [a\n')).toMatchObject({ ok: false, settings: { stores: [], workspaces: [] } })
  })

  it('T5: names commands around compactions, and how long they may take', () => {
    expect(parse('hooks: { beforeCompaction: [./note.sh], timeoutSeconds: 5 }')).toMatchObject({
      settings: { hooks: { beforeCompaction: ['./note.sh'], afterCompaction: [], timeoutSeconds: 5 } },
    })
    expect(parse('hooks: { afterCompaction: ./note.sh }')).toMatchObject({
      problems: ['/etc/p/plimsoll.yaml: hooks.afterCompaction must be a list of commands'],
    })
  })

  it('names the command of OpenClaw’s gateway; without it there is none', () => {
    const gateway = (text: string) => {
      const read = parse(text)
      return read.ok ? read.settings.gateway : read.problems.join()
    }
    expect(gateway('')).toBeNull()
    expect(gateway('gateway: { command: openclaw }')).toEqual({
      command: ['openclaw'],
      url: null,
      timeoutSeconds: 300,
    })
    expect(gateway('gateway: { command: [node, openclaw.mjs], url: "ws://127.0.0.1:1" }')).toMatchObject({
      command: ['node', 'openclaw.mjs'],
      url: 'ws://127.0.0.1:1',
    })
    expect(gateway('gateway: { command: 3 }')).toContain('must be a program')
    expect(gateway('gateway: { url: "http://x" }')).toContain('ws://')
  })

  it('L3: names a SurrealDB for facts, never with its password', () => {
    const knowledge = (text: string) => {
      const read = parse(text)
      return read.ok ? read.settings.knowledge.surrealdb : read.problems.join()
    }
    expect(knowledge('')).toBeNull()
    expect(knowledge('knowledge: { surrealdb: { url: "ws://127.0.0.1:8000", username: root } }')).toEqual({
      url: 'ws://127.0.0.1:8000',
      namespace: 'plimsoll',
      database: 'memory',
      username: 'root',
      passwordEnv: 'SURREALDB_PASSWORD',
      timeoutSeconds: 5,
    })
    expect(knowledge('knowledge: { surrealdb: { url: "http://root:pw@h" } }')).toContain('without a password')
    expect(knowledge('knowledge: { surrealdb: { url: "http://h", namespace: "a b" } }')).toContain(
      'a name of letters',
    )
    expect(knowledge('knowledge: 5')).toContain('knowledge must be a map')
  })

  it('says where the text itself is broken', () => {
    const result = parse('stores: [a\n')
    expect(!result.ok && result.problems[0]).toMatch(/not valid YAML.*line \d+, column \d+\.$/)
    expect(parse('{', '/x.json')).toMatchObject({ ok: false })
  })

  it('warns of a key that it does not know and goes on', () => {
    expect(parse('store: [a]\n')).toMatchObject({
      ok: true,
      warnings: [
        '/etc/p/plimsoll.yaml: store is not a setting and was ignored; known are: stores, workspaces, agentMemory, backups, hooks, health, gateway, knowledge, policy, overrides',
      ],
    })
  })
})

describe('the place of the settings file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-settings-'))
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('is the named file, which must exist; without one, the defaults hold', () => {
    const places = { cwd: folder, configFolder: join(folder, 'none'), userHome: folder }
    expect(loadSettings({ ...places, explicit: null })).toEqual({
      ok: true,
      file: null,
      settings: DEFAULT_SETTINGS,
      warnings: [],
    })
    const missing = join(folder, 'missing.yaml')
    expect(loadSettings({ ...places, explicit: missing })).toMatchObject({ ok: false, file: missing })
    writeFileSync(join(folder, 'plimsoll.json'), '{"stores":["x"]}')
    expect(loadSettings({ ...places, explicit: null })).toMatchObject({
      file: join(folder, 'plimsoll.json'),
      settings: { stores: [{ path: join(folder, 'x'), kind: null }] },
    })
  })
})
