import { describe, expect, it } from 'vitest'
import type { Random } from './random'
import { TranscriptWriter } from './transcript-writer'

describe('writing a made-up transcript', () => {
  it('gives no two entries the same id', () => {
    const drawn = ['aaaaaaaa', 'bbbbbbbb', 'aaaaaaaa', 'bbbbbbbb', 'cccccccc']
    const random: Pick<Random, 'hex'> = { hex: () => drawn.shift() ?? 'dddddddd' }
    const writer = new TranscriptWriter(random as Random, 0)
    for (let i = 0; i < 3; i++) writer.entry('custom', { customType: 'note' })
    const ids = writer.text
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: string }).id)
    expect(ids).toEqual(['aaaaaaaa', 'bbbbbbbb', 'cccccccc'])
  })
})
