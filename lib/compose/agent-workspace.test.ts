import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { foundStore } from '../adapters/discovery/found-store'
import { readSetup } from '../testing/read-setup'
import { temporaryFolder, writeFiles } from '../testing/store-folder'
import { agentWorkspace } from './agent-workspace'
import { openPolicies } from './policy/policies'
import { documentsOfStore } from './policy/policy-sources'

let folder: string
beforeEach(() => {
  folder = temporaryFolder()
  writeFiles(folder, { 'claw/agents/ops/sessions/s.jsonl': '' })
})

/** Where a rule for the agent `ops` would go, from the test's folder on; else why nowhere. */
async function workspace(settings: object | null, ours = '', agent = 'ops') {
  if (settings !== null) writeFiles(folder, { 'claw/openclaw.json': JSON.stringify(settings) })
  writeFiles(folder, { 'plimsoll.yaml': ours })
  const env = {
    HOME: join(folder, 'home'),
    PLIMSOLL_HOME: join(folder, 'state'),
    PLIMSOLL_CONFIG: join(folder, 'plimsoll.yaml'),
  }
  const read = readSetup(env, folder)
  if (!read.ok) throw new Error(read.problems.join())
  const store = foundStore('openclaw', 'jsonl', join(folder, 'claw'), 'test', 'ok')
  const documents = documentsOfStore(await openPolicies(read.setup, [store]).documents(), store)
  const found = agentWorkspace(read.setup, documents, [store], { folder: join(folder, 'claw'), agent })
  return found.can ? found.folder.slice(folder.length + 1) : found.why
}

const folders = (...names: string[]) => {
  for (const name of names) mkdirSync(join(folder, name), { recursive: true })
}
const listed = (path: string) => ({ agents: { list: [{ id: 'main' }, { id: 'Ops', workspace: path }] } })

describe('the workspace of an OpenClaw agent', () => {
  it('is its own one by the settings of the store, of either form', async () => {
    folders('claw/desk')
    expect(await workspace(listed('./desk'))).toBe('claw/desk')
    expect(await workspace({ agents: { entries: { ops: { workspace: './desk' } } } })).toBe('claw/desk')
  })

  it('is else a folder of its name: where releases differ, the one that is there', async () => {
    const ofAll = { agents: { defaults: { workspace: './all' } } }
    expect(await workspace(null)).toMatch(/There is no workspace of the agent ops/)
    folders('claw/workspace-ops')
    expect(await workspace(null)).toBe('claw/workspace-ops')
    expect(await workspace(ofAll)).toBe('claw/workspace-ops')
    folders('claw/all/ops')
    expect(await workspace(ofAll)).toMatch(/depends on the release.*agents.list, workspace/)
  })

  it('is none outside of the store, unless the operator lists it or allows it; a link does not lead out', async () => {
    folders('elsewhere/ops')
    const far = join(folder, 'elsewhere/ops')
    const refused = /lies outside of the store.*workspaces: in plimsoll.yaml.*allow: \{ folders/
    expect(await workspace(listed(far))).toMatch(refused)
    expect(await workspace(listed(far), `workspaces: [${far}]`)).toBe('elsewhere/ops')
    const allowed = `stores: [{ path: ${join(folder, 'claw')}, allow: { folders: [${far}] } }]`
    expect(await workspace(listed(far), allowed)).toBe('elsewhere/ops')
    symlinkSync(far, join(folder, 'claw/workspace-ops'))
    expect(await workspace({})).toMatch(refused)
  })

  it('is not guessed where other files are included, or for a name that is none', async () => {
    folders('claw/workspace-ops')
    writeFiles(folder, { 'claw/more.json': '{}' })
    expect(await workspace({ agents: { $include: './more.json' } })).toMatch(/includes other files/)
    expect(await workspace({}, '', '../main')).toMatch(/OpenClaw gives none/)
  })
})
