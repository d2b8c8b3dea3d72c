import { answerJson } from '@/lib/server/answer'
import { getStores } from '@/lib/server/stores'

export function GET(): Promise<Response> {
  return answerJson(getStores)
}
