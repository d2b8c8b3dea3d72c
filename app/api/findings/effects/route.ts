import { answerJson } from '@/lib/server/door/answer'
import { getRemedyEffects } from '@/lib/server/findings/remedy-effects'

/** Whether the settings that were applied for findings helped. */
export async function GET() {
  return answerJson(getRemedyEffects)
}
