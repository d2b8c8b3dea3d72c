import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sharedFolder } from '../testing/store-folder'
import { DEFAULT_ARCHIVE } from './archive-settings'
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

  it('keeps no transcript unless it is asked to, and then within bounds', () => {
    expect(parse('{}')).toMatchObject({ settings: { archive: DEFAULT_ARCHIVE } })
    expect(DEFAULT_ARCHIVE.enabled).toBe(false)
    expect(parse('archive: { enabled: true, keep: 90d, quota: 2GB }')).toMatchObject({
      settings: { archive: { enabled: true, keepDays: 90, quotaBytes: 2 * 1024 ** 3 } },
    })
    expect(parse('archive: { enabled: yes please, keep: 0, quota: 3 }')).toMatchObject({
      ok: false,
      problems: [
        '/etc/p/plimsoll.yaml: archive.enabled must be true or false',
        '/etc/p/plimsoll.yaml: archive.quota must be a size of at least 1MB, e.g. "10GB"',
        '/etc/p/plimsoll.yaml: archive.keep must be a number of days from 1 to 36500, e.g. "365d"',
      ],
    })
    expect(parse('archive: true')).toMatchObject({ ok: false })
  })

  it('may be empty', () => {
    expect(parse('')).toMatchObject({ ok: true, settings: { stores: [], workspaces: [] } })
    expect(parse('stores:\n')).toMatchObject({ ok: true, settings: { stores: [], workspaces: [] } })
  })

  it('says file, key and what is allowed when a value is bad', () => {
    expect(parse('stores:\n  - { path: x, kind: claude }\n')).toEqual({
      ok: false,
      file: '/etc/p/plimsoll.yaml',
      problems: ['/etc/p/plimsoll.yaml: stores[0].kind must be openclaw or pi'],
      settings: DEFAULT_SETTINGS,
    })
    expect(parse('stores: 5')).toMatchObject({
      problems: [
        '/etc/p/plimsoll.yaml: stores must be a list of paths, or of maps with path, kind, runtime and allow',
      ],
    })
    expect(parse('stores: [3]')).toMatchObject({
      problems: [
        '/etc/p/plimsoll.yaml: stores[0] must be a path, or a map with path and, if wanted, kind (openclaw, pi, claude-code or codex), runtime (library) and allow',
      ],
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

  it('U1: says what a store may decide: exact models, addresses and folders', () => {
    const allow = (text: string) => {
      const read = parse(`stores:\n  - path: ~/a\n    allow: ${text}\n`)
      return read.ok ? read.settings.stores[0]?.allow : read.problems.join('\n')
    }
    expect(allow('{ summarizer: { model: ollama/m, url: "http://localhost:11434" } }')).toEqual({
      summarizers: [{ model: 'ollama/m', url: 'http://localhost:11434' }],
      embedders: [],
      sessionModel: false,
      folders: [],
      openclaw: false,
    })
    expect(
      allow(
        '{ summarizer: [{ model: a/b }, { url: "https://h/v1" }], sessionModel: true, folders: [~/cold, x] }',
      ),
    ).toEqual({
      summarizers: [
        { model: 'a/b', url: null },
        { model: null, url: 'https://h/v1' },
      ],
      embedders: [],
      sessionModel: true,
      folders: ['/home/a/cold', '/etc/p/x'],
      openclaw: false,
    })
    expect(allow('{ summarizer: {} }')).toContain(
      'stores[0].allow.summarizer[0] must name model, url, or both',
    )
    expect(allow('{ summarizer: { url: "*" } }')).toContain('must be an address like')
    expect(allow('{ embedder: { url: "http://u:p@h" } }')).toContain('without a password in it')
    expect(allow('{ everything: true }')).toContain('stores[0].allow')
    expect(allow('yes please')).toContain('must be a map with summarizer')
  })

  it('pairs keys with addresses by scheme, host and port', () => {
    expect(parse('keys: [{ env: MY_KEY, url: "https://Proxy.example/v1" }]')).toMatchObject({
      settings: { keys: [{ variable: 'MY_KEY', origin: 'https://proxy.example' }] },
    })
    expect(parse('keys: [{ env: "MY KEY", url: "https://h" }]')).toMatchObject({ ok: false })
    expect(parse('keys: [{ env: MY_KEY, url: "ftp://h" }]')).toMatchObject({ ok: false })
    expect(parse('keys: { MY_KEY: "https://h" }')).toMatchObject({
      problems: ['/etc/p/plimsoll.yaml: keys must be a list of maps with env and url'],
    })
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

  it('B7: takes the operator’s prices, and names the one that is wrong', () => {
    const prices = (text: string) => {
      const read = parse(text)
      return read.ok ? read.settings.prices : read.problems.join()
    }
    expect(prices('')).toEqual({})
    expect(prices('prices: { gpt-5.5: { input: 1, output: 2.5, cacheRead: 0 } }')).toEqual({
      'gpt-5.5': { input: 1, output: 2.5, cacheRead: 0 },
    })
    const sentence = 'must be a number of US dollars per million tokens'
    expect(prices('prices: { m: { input: "1", output: 2 } }')).toBe(
      `/etc/p/plimsoll.yaml: prices.m.input ${sentence}`,
    )
    expect(prices('prices: { m: { input: 1 } }')).toBe(`/etc/p/plimsoll.yaml: prices.m.output ${sentence}`)
    expect(prices('prices: { m: { input: -1, output: 2 } }')).toContain('prices.m.input must not be below 0')
    expect(prices('prices: { m: { input: 1, output: 2, cached: 3 } }')).toContain(
      'prices.m has no cached; known are: input',
    )
    expect(prices('prices: { m: 3 }')).toContain('prices.m must be a map with input and output')
    expect(prices('prices: 3')).toContain('prices must be a map from models')
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
        '/etc/p/plimsoll.yaml: store is not a setting and was ignored; known are: stores, workspaces, agentMemory, backups, archive, hooks, health, gateway, knowledge, prices, keys, policy, overrides',
      ],
    })
  })
})

describe('the place of the settings file', () => {
  const folder = sharedFolder()

  it('is the named file, which must exist; without one, the defaults hold', () => {
    const places = {
      cwd: join(folder, 'none'),
      configFolder: folder,
      userHome: folder,
      home: join(folder, 'state'),
    }
    expect(loadSettings({ ...places, explicit: null })).toMatchObject({
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
