'use client'

import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import {
  isTouched,
  LIVE_BEAT_MS,
  LIVE_EVENTS,
  type LiveMessage,
  mergeLiveMessages,
  parseLiveMessage,
} from '@/lib/view/shell/live'
import { parseReadingNotices } from '@/lib/view/shell/reading-notice'
import { readLiveState, writeLiveState } from './live-state'
import { readAgain } from './read-again'
import { noteSignedOut } from './signed-out'

/** Changes that arrive within this time are answered by one round of reading. */
const GATHER_MS = 200

/**
 * Keeps the page's line to the server and re-reads what changed. Queries whose key begins with `['session', id]` are
 * re-read when that session changed, all others on any change. A hidden page hangs up (browsers allow few lines per
 * server) and catches up when it is seen again.
 * @param props.asOf revision of the database before the server read what this page first showed
 */
export function LiveConnection({ asOf }: { asOf: number | null }) {
  const client = useQueryClient()
  // Later renderings of the layout are no reason to hang up.
  const [first] = useState(asOf)
  // The outside systems are the event stream and the page's visibility.
  useEffect(() => followServer(client, first), [client, first])
  return null
}

function followServer(client: QueryClient, asOf: number | null): () => void {
  if (readLiveState().revision === null) writeLiveState({ revision: asOf })
  let source: EventSource | null = null
  let gathering: ReturnType<typeof setTimeout> | null = null
  let pending: LiveMessage | null = null
  let lastHeard = Date.now()
  let greeted = false

  function heard(revision: number | null) {
    lastHeard = Date.now()
    writeLiveState({ status: 'live', heardAt: lastHeard, ...(revision === null ? {} : { revision }) })
  }

  function gather(message: LiveMessage) {
    pending = mergeLiveMessages(pending, message)
    gathering ??= setTimeout(refresh, GATHER_MS)
  }

  /** The first word of a new line: whatever happened while there was none is read again. */
  function greet(message: LiveMessage) {
    const before = readLiveState().revision
    heard(message.revision)
    const again = greeted
    greeted = true
    if (before !== null && before !== message.revision) gather({ ...message, all: true, stores: true })
    else if (again) gather({ ...message, audit: true, jobs: true })
    else if (message.jobs) gather(message)
  }

  function refresh() {
    const message = pending
    gathering = null
    pending = null
    if (message) readAgain(client, (query) => isTouched(query.queryKey, message))
  }

  function connect() {
    if (source || document.visibilityState === 'hidden' || isSignedOut()) return
    source = new EventSource('/api/live')
    source.addEventListener(LIVE_EVENTS.hello, (event) => {
      const message = parseLiveMessage(event.data)
      if (message) greet(message)
    })
    source.addEventListener(LIVE_EVENTS.change, (event) => {
      const message = parseLiveMessage(event.data)
      if (!message) return
      heard(message.revision)
      gather(message)
    })
    source.addEventListener(LIVE_EVENTS.reading, (event) => {
      const reading = parseReadingNotices(event.data)
      if (reading) writeLiveState({ reading })
    })
    source.addEventListener(LIVE_EVENTS.beat, () => heard(null))
    source.onerror = () => {
      writeLiveState({ status: 'stale' })
      // A refused stream is closed for good by the browser; the watch below opens a new one.
      if (source?.readyState !== EventSource.CLOSED) return
      source = null
      void noteSignedOut()
    }
  }

  function isSignedOut() {
    return readLiveState().status === 'signed-out'
  }

  function hangUp() {
    source?.close()
    source = null
  }

  function onVisibility() {
    if (document.visibilityState === 'hidden') hangUp()
    else connect()
  }

  const watch = setInterval(() => {
    if (document.visibilityState === 'hidden' || isSignedOut()) return
    if (Date.now() - lastHeard > 2.5 * LIVE_BEAT_MS) {
      writeLiveState({ status: 'stale' })
      hangUp()
      lastHeard = Date.now()
    }
    connect()
  }, LIVE_BEAT_MS)

  document.addEventListener('visibilitychange', onVisibility)
  connect()
  return () => {
    document.removeEventListener('visibilitychange', onVisibility)
    clearInterval(watch)
    if (gathering) clearTimeout(gathering)
    hangUp()
  }
}
