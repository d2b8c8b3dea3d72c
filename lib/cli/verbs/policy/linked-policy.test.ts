import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LINKS, OUTSIDE } from '../../../testing/hostile/linked-policy-files'
import { runCli } from '../../../testing/run-cli'
import { temporaryFolder, writeFiles } from '../../../testing/store-folder'

for (const [name, make] of Object.entries(LINKS))
  test(`a policy file of a store that is ${name}: check names it, show and apply neither read nor write it`, async () => {
    const home = temporaryFolder()
    const store = join(home, '.openclaw')
    const outside = join(home, 'outside')
    mkdirSync(outside)
    writeFiles(store, { 'agents/main/sessions/sessions.json': '{}' })
    const file = join(store, 'context-config.yaml')
    make(file, outside)
    const run = (...argv: string[]) =>
      runCli(argv, { env: { HOME: home, PLIMSOLL_HOME: join(home, 'state') }, cwd: home })
    const checked = await run('policy', 'check')
    expect(`${checked.stdout}${checked.stderr}`).toMatch(/context-config\.yaml.*it is a symbolic link/)
    expect((await run('policy', 'show', '--json')).stdout).not.toContain('CANARY')
    const applied = await run('policy', 'apply', '--file', file, 'lines.compact.at=0.6')
    expect(applied.code).toBe(3)
    expect(applied.stderr).toContain('neither followed, shown nor written')
    expect(`${applied.stdout}${applied.stderr}`).not.toContain('CANARY')
    expect(readFileSync(join(outside, 'private.txt'), 'utf8')).toBe(OUTSIDE)
  })
