-- CreateIndex
CREATE INDEX "Session_state_idx" ON "Session"("state");
