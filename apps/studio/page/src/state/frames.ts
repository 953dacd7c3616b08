// SPDX-License-Identifier: Apache-2.0
import { decodeFrame, type Frame } from '../protocol/binary';
import type { App } from './app';

interface Wanted {
    readonly frame: number;
    readonly fields: readonly string[];
}

/** Asks for one frame of an item at a time; of those wanted meanwhile only the newest counts. */
export class FramePump {
    private busy = false;
    private next: Wanted | null = null;
    private last = '';

    constructor(
        private readonly app: App, private readonly item: number,
        private readonly arrived: (frame: Frame) => void
    ) {}

    want(frame: number, fields: readonly string[]): void {
        const key = `${frame} ${fields.join()}`;
        if (key === this.last) return;
        this.last = key;
        this.next = { frame, fields };
        if (!this.busy) void this.run();
    }

    /** The next want is asked for even if it is what was asked for last. */
    forget(): void {
        this.last = '';
    }

    get resting(): boolean {
        return !this.busy;
    }

    private async run(): Promise<void> {
        this.busy = true;
        try {
            while (this.next) {
                const { frame, fields } = this.next;
                this.next = null;
                const args = { item: this.item, frame, fields };
                const answer = await this.app.askBinary('timeline', 'frame', args);
                if (answer) this.arrived(decodeFrame(answer));
                else this.forget();
            }
        } finally {
            this.busy = false;
        }
    }
}

/** Moves the frame number while a recording plays. */
export class Player {
    private exact = 0;
    private last = 0;

    constructor(private readonly app: App, private readonly length: () => { frames: number; fps: number },
        private readonly ready: () => boolean) {
        app.store.on((s) => s.playing, (playing) => {
            if (playing) this.start();
        });
    }

    private start(): void {
        this.exact = this.app.view.frame;
        this.last = performance.now();
        const tick = (now: number): void => {
            if (!this.app.state.playing) return;
            this.advance(Math.max(0, now - this.last) / 1000);
            this.last = now;
            requestAnimationFrame(tick);
        };
        requestAnimationFrame(tick);
    }

    /** Time waits for frames that have not come: no frame is asked for that nobody could see. */
    private advance(seconds: number): void {
        const { frame, speed, loop } = this.app.view;
        const { frames, fps } = this.length();
        if (!this.ready()) return;
        if (Math.floor(this.exact) !== frame) this.exact = frame;
        this.exact += Math.min(seconds * fps * speed, Math.max(1, fps * speed / 4));
        if (this.exact >= frames) {
            if (!loop) {
                this.app.store.set({ playing: false });
                this.exact = frames - 1;
            } else {
                this.exact %= frames;
            }
        }
        const next = Math.min(frames - 1, Math.floor(this.exact));
        if (next !== frame) this.app.setView({ frame: next });
    }
}
