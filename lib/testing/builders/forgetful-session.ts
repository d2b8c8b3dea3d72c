import { TranscriptBuilder } from './transcript'

const TURNS = 14

/**
 * A session of pi that names a file in its first turn and needs it again fifteen turns later, so that whoever keeps a few
 * turns alone leaves that need unmet. @param number tells it and its file from others
 * @param more turns after that, in which nothing is needed
 */
export function forgetfulSession(number: number, more = 0): string {
  const builder = new TranscriptBuilder({ id: `s${number}` })
  const usage = { input: 4_000, output: 50, cost: 0.01 }
  const path = `src/harbour/berth-${number}.ts`
  builder.user(`read the plan of berth ${number}`)
  builder.assistant(`it is in ${path}`, { usage })
  for (let turn = 0; turn < TURNS; turn++) {
    builder.user(`now cake ${turn}`)
    builder.assistant(`the cake ${turn} went well and there is nothing else to say of it`, { usage })
  }
  builder.user('and the berth?')
  builder.assistant(`see ${path} again`, { usage })
  for (let turn = 0; turn < more; turn++) {
    builder.user(`thanks ${turn}`)
    builder.assistant('gladly', { usage })
  }
  return `${builder.lines.join('\n')}\n`
}
