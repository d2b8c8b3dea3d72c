import { answerJson } from '@/lib/server/door/answer'
import { getStores } from '@/lib/server/stores/stores'

export function GET(): Promise<Response> {
  return answerJson(getStores)
}
