import { describe, expect, it } from 'vitest'
import { storeFaults } from './store-faults'

const STORE = {
  id: 's1',
  kind: 'openclaw',
  root: '/home/ada/.openclaw',
  label: 'OpenClaw · ~',
  lastReadAt: 1,
}

const faultsOf = (state: string, problem: string | null, findingsProblem: string | null = null) =>
  storeFaults([{ ...STORE, state, problem, findingsProblem }])

describe('faults of stores', () => {
  it('are none where all of it was read and judged, or where it was taken away', () => {
    for (const state of ['ok', 'empty', 'missing']) expect(faultsOf(state, null)).toEqual([])
    expect(faultsOf('missing', 'It is not there.', 'EIO')).toEqual([])
    // A part that is not read says so at the store.
    expect(faultsOf('ok', 'The index of main is damaged.')).toEqual([])
  })

  it('say that it cannot be read, with what to do', () => {
    const [fault] = faultsOf('unreadable', 'You may not read it: give the user of Plimsoll that right.')
    expect(fault).toEqual({
      storeId: 's1',
      title: 'OpenClaw · .openclaw',
      words:
        'cannot be read, so that its sessions are as they were read last. You may not read it: give the user of Plimsoll that right.',
      href: '/stores#s1',
    })
  })

  it('say of a store that was never read that what it holds is unknown', () => {
    const store = { ...STORE, state: 'unreadable', problem: 'Its mode forbids it.', findingsProblem: null }
    const [fault] = storeFaults([{ ...store, lastReadAt: null }])
    expect(fault?.words).toBe(
      'cannot be read, and nothing of it was read before: what it holds is unknown. Its mode forbids it.',
    )
  })

  it('say that it could not be judged, and why; what a store names is text', () => {
    const [fault] = faultsOf('ok', null, 'The disk failed at /a\u202eb')
    expect(fault?.words).toContain('could not be examined as a whole')
    expect(fault?.words).toContain('The disk failed at /a')
    expect(fault?.words).not.toContain('\u202e')
    expect(fault?.words).toMatch(/It is tried again every half minute\.$/)
  })
})
