import 'server-only'
import { findTranscriptEvents } from '../../db/queries/recent-events'
import {
  EVENT_PAGE_ROWS,
  type EventParams,
  type EventsView,
  eventsView,
} from '../../view/activity/transcript-events'
import { getDatabase } from '../process/database'

/** One page of what transcripts record of compactions, resets and failed calls, newest first. */
export async function getTranscriptEvents({ kind, page }: EventParams): Promise<EventsView> {
  const { events, total } = findTranscriptEvents(await getDatabase(), {
    kind: kind === '' ? null : kind,
    skip: (page - 1) * EVENT_PAGE_ROWS,
    limit: EVENT_PAGE_ROWS,
  })
  return eventsView(events, total)
}
