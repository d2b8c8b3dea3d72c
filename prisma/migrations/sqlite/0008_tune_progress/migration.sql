-- AlterTable
ALTER TABLE "Experiment" ADD COLUMN "progressJson" TEXT;
