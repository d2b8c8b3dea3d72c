import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { runCli } from '../../testing/run-cli'
import { temporaryFolder, writeFiles } from '../../testing/store-folder'

/** Its agents embed the library, as far as the settings file in the home says so. */
function home(settings: string): string {
  const folder = temporaryFolder()
  const session = (id: string) => {
    const builder = new TranscriptBuilder({ id })
    builder.user('Where are we?')
    builder.assistant('At sea.', { model: 'claude-sonnet-4-5', usage: { input: 90_000, output: 20 } })
    return builder.text()
  }
  writeFiles(folder, {
    'plimsoll.yaml': settings,
    'harbour/sessions/2026-11-01T00-00-00-000Z_embedded.jsonl': session('embedded'),
    'pi/2026-11-01T00-00-00-000Z_of-pi.jsonl': session('of-pi'),
  })
  symlinkSync(join(folder, 'harbour'), join(folder, 'link'))
  return folder
}

async function read(folder: string, ...argv: string[]) {
  const env = {
    HOME: folder,
    PLIMSOLL_HOME: join(folder, 'state'),
    PLIMSOLL_CONFIG: join(folder, 'plimsoll.yaml'),
  }
  const { stdout, stderr } = await runCli([...argv, '--json'], { cwd: folder, env })
  return stdout === '' ? { stderr } : JSON.parse(stdout)
}

const POLICY =
  'policy: { lines: { compact: { enabled: true, at: 0.4 }, hard: { enabled: true, at: 0.8 } } }\n'
const STORES = (path: string, more: string) =>
  `stores:\n  - { path: ${path}, kind: pi${more} }\n  - { path: pi, kind: pi }\n${POLICY}`

describe('X9 a store of agents that embed the library', () => {
  it.each(['harbour', 'harbour/sessions', 'link'])(
    'named %s, is under the policy of the settings',
    async (path) => {
      const folder = home(STORES(path, ', runtime: library'))
      const shown = await read(folder, 'policy', 'show', 'embedded')
      expect(shown.runtimePolicy).toMatchObject({
        kind: 'library',
        rules: 'library',
        files: [join(folder, 'plimsoll.yaml')],
      })
      expect(shown.loadLines).toContainEqual({ name: 'compact', tokens: 80_000, pct: 40 })
      const status = await read(folder, 'status', 'embedded')
      expect(status.runtimePolicy).toMatchObject({ kind: 'library' })
      expect(status.loadLines).toContainEqual(expect.objectContaining({ name: 'compact', tokens: 80_000 }))
      expect(status.next).toMatchObject({ state: 'past-line' })
      const other = await read(folder, 'status', 'of-pi')
      expect(other.runtimePolicy).toMatchObject({ kind: 'pi' })
    },
  )

  it('is under pi, where the settings do not say so', async () => {
    const plain = await read(home(STORES('harbour', '')), 'status', 'embedded')
    expect(plain.runtimePolicy).toMatchObject({ kind: 'pi' })
  })

  it('refuses another runtime by name', async () => {
    const refused = await read(home(STORES('harbour', ', runtime: mine')), 'status', 'embedded')
    expect(JSON.stringify(refused)).toContain('stores[0].runtime must be library')
  })
})
