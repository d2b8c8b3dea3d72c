import { describe, expect, it } from 'vitest'
import { type FindingMute, muteOf } from './mutes'

const ONE: FindingMute = { finding: 'a.1', cause: null, reason: 'known', at: 0, until: null }
const finding = { id: 'a.1', cause: 'a x' }

describe('a muted finding', () => {
  it('is the one that was named, or each of its cause', () => {
    expect(muteOf(finding, [ONE], 5)).toBe(ONE)
    expect(muteOf({ ...finding, id: 'a.2' }, [ONE], 5)).toBeNull()
    const all = { ...ONE, cause: 'a x' }
    expect(muteOf({ ...finding, id: 'a.2' }, [all], 5)).toBe(all)
    expect(muteOf({ id: 'a.1', cause: 'a y' }, [all], 5)).toBeNull()
  })

  it('shows again once its date is there', () => {
    const until = { ...ONE, until: 10 }
    expect(muteOf(finding, [until], 9)).toBe(until)
    expect(muteOf(finding, [until], 10)).toBeNull()
  })
})
