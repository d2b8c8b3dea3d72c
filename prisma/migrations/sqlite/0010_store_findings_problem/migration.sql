-- AlterTable
ALTER TABLE "Store" ADD COLUMN "findingsProblem" TEXT;
