import { getTranscriptEvents } from '@/lib/server/activity/transcript-events'
import { answerJson } from '@/lib/server/door/answer'
import { parseEventParams } from '@/lib/view/activity/transcript-events'

export function GET(request: Request): Promise<Response> {
  const { searchParams } = new URL(request.url)
  return answerJson(() => getTranscriptEvents(parseEventParams((name) => searchParams.get(name))))
}
