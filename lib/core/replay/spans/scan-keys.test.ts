import { expect, test } from 'vitest'
import { partsOfKey, scanKeys } from './scan-keys'

function keysOf(text: string, cwd: string | null = null): string[] {
  const keys: string[] = []
  scanKeys(text, cwd, (kind, key) => keys.push(`${kind} ${key}`))
  return keys
}

test.each([
  ['fn prune_expired(&mut self)', ['identifier prune_expired']],
  [
    'setTheme(themeName) or setTheme()',
    ['setTheme', 'themeName', 'setTheme'].map((one) => `identifier ${one}`),
  ],
  ['self.active_units += 1; this.activeUnits', ['identifier active_units', 'identifier activeUnits']],
  ['this.agent.abort()', ['identifier agent.abort']],
  ['a sha256Sum of it', ['identifier sha256Sum']],
  ['waits 730021ms at most', ['number 730021']],
  ['../tui/test/chat.ts(83,49): error', ['path ../tui/test/chat.ts']],
  ['see PR 1531 there', ['number 1531']],
  ['x("\\nErrorText")', ['identifier ErrorText']],
  ['lib/core/walk:12:const said', ['path lib/core/walk']],
  ['git show origin/lane-2:lib/core/walk', ['path origin/lane-2', 'path lib/core/walk']],
  ['git diff main...origin/lane', ['path main...origin/lane', 'path origin/lane']],
  ['{devDependencies:ownPackage.ownField}', ['identifier devDependencies', 'identifier ownPackage.ownField']],
  ['see [the contracts](../specs/openapi.yaml) there', ['path ../specs/openapi.yaml']],
])('a reader finds in %j the names and files that it has', (text, keys) => {
  expect(keysOf(text)).toEqual(keys)
})

test('a name says the names that it is made of, a path its folders and its last part', () => {
  expect(partsOfKey('identifier', 'memory::InMemoryQueue.pushFront')).toEqual(['InMemoryQueue', 'pushFront'])
  expect(partsOfKey('identifier', 'plainName')).toEqual([])
  expect(partsOfKey('identifier', 'TestWalkOfAll_BasicCase')).toEqual(['TestWalkOfAll'])
  expect(partsOfKey('path', 'src/core/mod.rs')).toEqual(['src/core', 'src', 'mod.rs'])
})
