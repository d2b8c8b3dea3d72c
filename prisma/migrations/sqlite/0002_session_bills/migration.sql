-- CreateTable
CREATE TABLE "SessionBill" (
    "sessionRow" INTEGER NOT NULL PRIMARY KEY,
    "parent" TEXT,
    "largest" INTEGER,
    "listUsd" REAL,
    "unpriced" INTEGER NOT NULL,
    "besides" INTEGER NOT NULL,
    "besidesTokens" BIGINT NOT NULL,
    "besidesUsd" REAL,
    CONSTRAINT "SessionBill_sessionRow_fkey" FOREIGN KEY ("sessionRow") REFERENCES "Session" ("row") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "Session_key_idx" ON "Session"("key");

-- CreateIndex
CREATE INDEX "SessionBill_parent_idx" ON "SessionBill"("parent");
