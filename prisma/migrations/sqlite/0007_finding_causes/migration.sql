-- DropIndex
DROP INDEX "Finding_cause_idx";

-- CreateIndex
CREATE INDEX "Finding_goneAt_cause_severity_usd_tokens_lastSeen_id_sessionRow_idx" ON "Finding"("goneAt", "cause", "severity", "usd" DESC, "tokens" DESC, "lastSeen" DESC, "id", "sessionRow");
