// SPDX-License-Identifier: Apache-2.0
import { Box3, OrthographicCamera, PerspectiveCamera, Quaternion, Vector3 } from 'three';

export interface CameraState {
    readonly target: readonly [number, number, number];
    readonly distance: number;
    readonly azimuth: number;
    readonly elevation: number;
    readonly orthographic: boolean;
    readonly up: readonly [number, number, number];
}

export type Side = 'front' | 'back' | 'left' | 'right' | 'top' | 'bottom';

const kFieldOfView = 35;
const kMaxElevation = Math.PI / 2;
const kRadiansPerPixel = 0.008;
const kZoomPerNotch = 1.0015;
const kElevation = 0.35;
const kFrameMargin = 1.15;

const kSides: Readonly<Record<Side, readonly [number, number]>> = {
    front: [0, 0],
    back: [Math.PI, 0],
    right: [Math.PI / 2, 0],
    left: [-Math.PI / 2, 0],
    top: [0, kMaxElevation],
    bottom: [0, -kMaxElevation],
};

/** A turntable around a target: azimuth about the up axis, then elevation. */
export class CameraRig {
    readonly perspective = new PerspectiveCamera(kFieldOfView, 1, 0.01, 100);
    readonly orthographic = new OrthographicCamera(-1, 1, 1, -1, 0.01, 100);
    private target = new Vector3();
    private distance = 3;
    private azimuth = 0.6;
    private elevation = kElevation;
    private isOrthographic = false;
    private up = new Vector3(0, 1, 0);
    private aspect = 1;
    /** Radius of what there is to see about the target, for the clipping planes. */
    private sceneRadius = 1;
    private sceneCentre = new Vector3();

    get camera(): PerspectiveCamera | OrthographicCamera {
        return this.isOrthographic ? this.orthographic : this.perspective;
    }

    get state(): CameraState {
        return {
            target: [this.target.x, this.target.y, this.target.z],
            distance: this.distance,
            azimuth: this.azimuth,
            elevation: this.elevation,
            orthographic: this.isOrthographic,
            up: [this.up.x, this.up.y, this.up.z],
        };
    }

    restore(state: CameraState): void {
        this.target.fromArray(state.target);
        this.distance = state.distance;
        this.azimuth = state.azimuth;
        this.elevation = state.elevation;
        this.isOrthographic = state.orthographic;
        this.up.fromArray(state.up);
        this.place();
    }

    setUp(up: readonly [number, number, number]): void {
        this.up.set(...up).normalize();
        this.place();
    }

    setAspect(aspect: number): void {
        this.aspect = aspect;
        this.place();
    }

    orbit(dx: number, dy: number): void {
        this.azimuth -= dx * kRadiansPerPixel;
        const elevation = this.elevation + dy * kRadiansPerPixel;
        this.elevation = Math.max(-kMaxElevation, Math.min(kMaxElevation, elevation));
        this.place();
    }

    /** By pixels of a view that is `height` pixels high; the target follows the pointer. */
    pan(dx: number, dy: number, height: number): void {
        const size = (2 * this.halfHeight()) / height;
        const { right, above } = this.axes();
        this.target.addScaledVector(right, -dx * size).addScaledVector(above, dy * size);
        this.place();
    }

    zoom(notches: number): void {
        this.distance *= Math.pow(kZoomPerNotch, notches);
        this.distance = Math.max(this.distance, 1e-4 * this.sceneRadius);
        this.place();
    }

    look(side: Side): void {
        [this.azimuth, this.elevation] = kSides[side];
        this.place();
    }

    /** From below, where a floor may hide all, to above. */
    comeUp(): void {
        if (this.elevation >= 0) return;
        this.elevation = kElevation;
        this.place();
    }

    togglePerspective(): void {
        this.isOrthographic = !this.isOrthographic;
        this.place();
    }

    centre(point: Vector3): void {
        this.target.copy(point);
        this.place();
    }

    frame(box: Box3): void {
        if (box.isEmpty()) return;
        const radius = Math.max(box.getSize(new Vector3()).length() / 2, 1e-6);
        box.getCenter(this.target);
        const half = Math.tan((kFieldOfView * Math.PI) / 360) * Math.min(1, this.aspect);
        this.distance = (kFrameMargin * radius) / Math.sin(Math.atan(half));
        this.place();
    }

    /** What the clipping planes must hold. */
    setScene(box: Box3): void {
        if (box.isEmpty()) return;
        box.getCenter(this.sceneCentre);
        this.sceneRadius = Math.max(box.getSize(new Vector3()).length() / 2, 1e-6);
        this.place();
    }

    private halfHeight(): number {
        return this.distance * Math.tan((kFieldOfView * Math.PI) / 360);
    }

    private basis(): Quaternion {
        return new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), this.up);
    }

    private axes(): { right: Vector3; above: Vector3; back: Vector3 } {
        const [sa, ca] = [Math.sin(this.azimuth), Math.cos(this.azimuth)];
        const [se, ce] = [Math.sin(this.elevation), Math.cos(this.elevation)];
        const basis = this.basis();
        return {
            right: new Vector3(ca, 0, -sa).applyQuaternion(basis),
            above: new Vector3(-sa * se, ce, -ca * se).applyQuaternion(basis),
            back: new Vector3(sa * ce, se, ca * ce).applyQuaternion(basis),
        };
    }

    private place(): void {
        const { above, back } = this.axes();
        const eye = this.target.clone().addScaledVector(back, this.distance);
        const reach = eye.distanceTo(this.sceneCentre) + 2 * this.sceneRadius;
        for (const camera of [this.perspective, this.orthographic]) {
            camera.position.copy(eye);
            camera.up.copy(above);
            camera.lookAt(this.target);
            camera.near = Math.max(reach * 1e-4, this.distance * 5e-3);
            camera.far = reach * 1.5 + this.distance;
        }
        if (this.isOrthographic) this.orthographic.near = -reach;
        this.perspective.aspect = this.aspect;
        const half = this.halfHeight();
        this.orthographic.top = half;
        this.orthographic.bottom = -half;
        this.orthographic.right = half * this.aspect;
        this.orthographic.left = -half * this.aspect;
        for (const camera of [this.perspective, this.orthographic]) {
            camera.updateProjectionMatrix();
            camera.updateMatrixWorld();
        }
    }
}
