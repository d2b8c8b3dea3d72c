import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { basename, join } from 'node:path'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder, writeFiles } from '../../testing/store-folder'
import { getCoveredPolicies, saveCoveredDocument } from './covered-policies'

const OWN = 'policy: { compaction: { retries: 1 } }\n'

let home = ''
beforeEach(() => {
  home = temporaryFolder()
  writeFiles(home, {
    'plimsoll.yaml': OWN,
    'store/openclaw.json': '{ "agents": { "defaults": { "workspace": "/elsewhere" } } }',
    'store/config.yaml': '{}\n',
    'store/agents/main/sessions/s1.jsonl': '{"type":"session","version":3,"id":"s1"}\n',
  })
  vi.stubEnv('HOME', home)
  vi.stubEnv('PLIMSOLL_HOME', join(home, 'state'))
  vi.stubEnv('PLIMSOLL_CONFIG', join(home, 'plimsoll.yaml'))
  vi.stubEnv('PLIMSOLL_STORES', join(home, 'store'))
})

/** Names of the files in the home folder that are opened from now on, as often as they are. */
function opened(): string[] {
  const names: string[] = []
  const { open } = fs.promises
  fs.promises.open = (path, ...rest) => {
    if (String(path).startsWith(home)) names.push(basename(String(path)))
    return open(path, ...rest)
  }
  syncBuiltinESMExports()
  onTestFinished(() => {
    fs.promises.open = open
    syncBuiltinESMExports()
  })
  return names
}

const policyFiles = (names: readonly string[]) => names.filter((name) => /^[^.]+\.(yaml|json)$/.test(name))

test('a page reads each configuration file once', async () => {
  const names = opened()
  const { documents, asks } = await getCoveredPolicies()
  const files = ['config.yaml', 'openclaw.json', 'plimsoll.yaml']
  expect(documents.map(({ path }) => basename(path)).sort()).toEqual(files)
  expect(asks).toMatchObject({ stores: [{ path: join(home, 'store') }], settingsFile: documents[0]?.path })
  expect(policyFiles(names).sort()).toEqual(files)
})

test('a save reads the files beside the one that it writes once', async () => {
  const { documents } = await getCoveredPolicies()
  const [own] = documents
  if (own === undefined) throw new Error('no file of ours')
  const names = opened()
  const text = OWN.replace('1', '2')
  const { path, hash: baseHash } = own
  expect(await saveCoveredDocument({ path, baseHash, baseText: own.text, text })).toMatchObject({
    kind: 'saved',
  })
  expect(
    policyFiles(names)
      .filter((name) => name !== 'plimsoll.yaml')
      .sort(),
  ).toEqual(['config.yaml', 'openclaw.json'])
})
