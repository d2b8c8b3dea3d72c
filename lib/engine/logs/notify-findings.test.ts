import { describe, expect, it } from 'vitest'
import { notifyFindings } from './notify-findings'

/** A check that finds these; answers what was sent, by which channels, and what the log keeps. */
async function check(ids: readonly string[], last: readonly string[], works: readonly string[]) {
  let asked: readonly string[] | null = null
  const { notified, findingsNotified, problems } = await notifyFindings({
    ...{ ids, last },
    notify: async (already) => {
      const ways = ['command', 'webhook'].filter((way) => !already.has(way))
      asked = ways
      return {
        by: ways.filter((way) => works.includes(way)),
        problems: ways.filter((way) => !works.includes(way)).map((way) => `${way} failed`),
      }
    },
  })
  return { asked, notified, findingsNotified, problems }
}

describe('a notice of findings', () => {
  it('is sent once for each finding and way', async () => {
    const first = await check(['a', 'b'], [], ['command', 'webhook'])
    expect(first).toMatchObject({ asked: ['command', 'webhook'], notified: true, problems: [] })
    const second = await check(['b', 'a'], first.findingsNotified, ['command', 'webhook'])
    expect(second).toMatchObject({ asked: [], notified: false })
    expect(second.findingsNotified.toSorted()).toEqual(first.findingsNotified.toSorted())
    const third = await check(['a', 'b', 'c'], second.findingsNotified, ['command', 'webhook'])
    expect(third).toMatchObject({ asked: ['command', 'webhook'], notified: true })
  })

  it('is tried again by the way that failed, and by that alone', async () => {
    const first = await check(['a'], [], ['command'])
    expect(first).toMatchObject({ findingsNotified: ['command a'], problems: ['webhook failed'] })
    expect(await check(['a'], first.findingsNotified, ['webhook'])).toMatchObject({
      asked: ['webhook'],
      notified: true,
      findingsNotified: ['command a', 'webhook a'],
    })
  })

  it('is sent again for a finding that went and came back, and none where nothing is found', async () => {
    const { findingsNotified } = await check([], ['webhook a'], ['webhook'])
    expect(findingsNotified).toEqual([])
    expect(await check([], [], ['webhook'])).toMatchObject({ asked: null, notified: false })
    expect(await check(['a'], findingsNotified, ['webhook'])).toMatchObject({ notified: true })
  })
})
