'use client'

import type { ReactNode } from 'react'
import { usePainted } from './use-painted'
import { useIsReady } from './use-ready'

/**
 * What lies below the first screenful. A page that the server made has it at once; one that is gone to shows what is in
 * sight first, and this with the next frame.
 */
export function Later({ children }: { children: ReactNode }) {
  return usePainted(!useIsReady()) ? children : null
}
