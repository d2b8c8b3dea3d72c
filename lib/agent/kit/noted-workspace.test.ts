import { describe, expect, test } from 'vitest'
import { TimeLimit } from '../../engine/jobs/time-limit'
import type { WorkspaceSnapshot } from '../../engine/workspace/workspace'
import { NotedWorkspace } from './noted-workspace'

const holding = (text: string): WorkspaceSnapshot => ({
  files: [{ name: 'AGENTS.md', path: '/w/AGENTS.md', text }],
  ...{ daily: [], memory: '' },
})

/** A workspace whose content is what is put into it; null: it cannot be read. */
function opened(content: WorkspaceSnapshot | null, limit?: number) {
  const held = { content, reads: (): Promise<unknown> => Promise.resolve() }
  const snapshot = async () => {
    await held.reads()
    if (held.content === null) throw new Error('the disk is gone')
    return held.content
  }
  return { held, workspace: new NotedWorkspace({ snapshot }, new TimeLimit(limit)) }
}

describe('V2 the workspace of an answer', () => {
  test('is kept as long as what was read for it holds, in whichever objects', async () => {
    const { held, workspace } = opened(holding('Berth 9 is closed.'))
    expect(await workspace.snapshot()).toBe(held.content)
    workspace.keep()
    expect(await workspace.isKept()).toBe(true)
    held.content = holding('Berth 9 is closed.')
    expect(await workspace.isKept()).toBe(true)
    held.content = holding('Berth 9 is free.')
    expect(await workspace.isKept()).toBe(false)
    // Only what an answer has counts, whoever reads it besides.
    await workspace.snapshot()
    expect(await workspace.isKept()).toBe(false)
    workspace.keep()
    expect(await workspace.isKept()).toBe(true)
  })

  test('is not kept where it cannot be read now, or could not be for the answer', async () => {
    const { held, workspace } = opened(holding('Berth 9 is closed.'))
    const { content } = held
    await workspace.snapshot()
    workspace.keep()
    held.content = null
    expect(await workspace.isKept()).toBe(false)
    await expect(workspace.snapshot()).rejects.toThrow('the disk is gone')
    workspace.keep()
    held.content = content
    expect(await workspace.isKept()).toBe(false)
  })

  test('is not kept where it takes too long to say', async () => {
    const { held, workspace } = opened(holding('Berth 9 is closed.'), 1)
    await workspace.snapshot()
    workspace.keep()
    held.reads = () => new Promise(() => {})
    expect(await workspace.isKept()).toBe(false)
  })
})
