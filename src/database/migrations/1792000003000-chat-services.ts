import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets an alert name the chat service of its channel. */
export class ChatServices1792000003000 implements MigrationInterface {
  name = 'ChatServices1792000003000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE alerts DROP CONSTRAINT alerts_channel_check, ADD CONSTRAINT alerts_channel_check
      CHECK (channel IN ('email', 'chat_a', 'chat_b', 'webhook', 'discord', 'telegram', 'slack'))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`UPDATE alerts SET channel = CASE channel WHEN 'telegram' THEN 'chat_b' ELSE 'chat_a' END
      WHERE channel IN ('discord', 'telegram', 'slack')`);
    await runner.query(`ALTER TABLE alerts DROP CONSTRAINT alerts_channel_check, ADD CONSTRAINT alerts_channel_check
      CHECK (channel IN ('email', 'chat_a', 'chat_b', 'webhook'))`);
  }
}
